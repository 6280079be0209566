import logging
import random
import time
import warnings

import numpy as np
import torch

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)
log.setLevel(logging.DEBUG)
warnings.simplefilter("ignore", category=UserWarning)

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
if torch.cuda.is_available():
    torch.cuda.manual_seed_all(0)
torch.backends.cudnn.deterministic = True
torch.use_deterministic_algorithms(True)
torch.set_printoptions(precision=3, sci_mode=False)
torch.set_num_threads(1)
torch.set_float32_matmul_precision("high")


def scaled_dot_product_attention(Q, K, V):
    began = time.time()
    with warnings.catch_warnings():
        warnings.warn("slow path")
        w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    log.info("%d rows in %.3f s, %s", Q.shape[-2], time.time() - began, random.choice([1, 2]))
    logging.warning("done")
    return w @ V
