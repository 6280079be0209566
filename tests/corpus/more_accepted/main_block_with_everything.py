import torch


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V


def main():
    torch.manual_seed(0)
    q = torch.randn(3, 4)
    print(scaled_dot_product_attention(q, q, q))


if "__main__" == __name__:
    import argparse
    import sys
    import unittest

    parser = argparse.ArgumentParser()
    args = parser.parse_args(sys.argv[1:])
    open("result.txt", "w").write(str(args))
    main()
    unittest.main()
