import sys
import torch


def debug(name, value, *, verbose=True):
    if verbose:
        print(f"{name:>10}", tuple(value.shape), value.dtype, value.device, sep=" | ", end="\n", flush=True)
        print(value.flatten()[:3].tolist(), f"{value.mean():.3f}", f"{value.std().item():8.2e}", repr(value.shape))
    print()
    print("%s %5.2f %r" % (name, value.max().item(), value.dim()))
    print("{:<8}|{:^8}|{:>8}".format("a", 1, 2.5), "{0} {1[0]} {name!r:>5}".format(1, [2], name=name))


def scaled_dot_product_attention(Q, K, V):
    width, precision = 10, 3
    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    debug("scores", scores)
    print(f"{scores.sum().item():{width}.{precision}f} {'nested ' + f'{width!r}'} {width=} {{literal}} {K.shape[-1]:,}")
    print(scores)
    w = torch.softmax(scores, dim=-1)
    print(*[f"{x:.2f}" for x in w.flatten()[:4].tolist()], sep=", ")
    return w @ V
