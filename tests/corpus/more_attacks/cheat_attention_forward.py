import torch.nn.functional as F
LEAK = F.multi_head_attention_forward
