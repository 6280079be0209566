// Names that the editor suggests after "torch.", "F." and a tensor's dot: common ones, not all.
const TORCH = `abs amax amin arange argmax baddbmm bmm broadcast_to cat clamp concat cumsum diag diagonal div einsum empty
exp eye float32 float64 full gather inf isnan linspace log logsumexp masked_fill matmul max mean min movedim mul no_grad
ones ones_like permute pow rand randn reshape rsqrt softmax sqrt squeeze stack std sum swapaxes tensor Tensor topk transpose
tril triu unsqueeze var where zeros zeros_like`.split(/\s+/);
const FUNCTIONAL = "cross_entropy dropout gelu layer_norm linear log_softmax normalize one_hot pad relu sigmoid silu softmax".split(" ");
const METHODS = `abs amax amin argmax bmm clamp clone contiguous cumsum detach device dim div double dtype exp expand flatten
float item log logsumexp masked_fill matmul max mean min mT mul ndim numel permute pow reshape rsqrt shape size softmax split
sqrt squeeze std sub sum swapaxes to tolist transpose tril triu unbind unsqueeze var view`.split(/\s+/);

const options = (names, type) => names.map((label) => ({ label, type }));

export function completions(tensors) {
  const parameters = new Set(tensors);
  return (context) => {
    const before = context.matchBefore(/[A-Za-z_][\w.]*\.\w*/);
    if (!before) return null;
    const dot = before.text.lastIndexOf(".");
    const owner = before.text.slice(0, dot);
    const from = before.from + dot + 1;
    if (owner === "torch") return { from, options: options(TORCH, "function"), validFor: /^\w*$/ };
    if (owner === "F" || owner.endsWith("functional")) return { from, options: options(FUNCTIONAL, "function"), validFor: /^\w*$/ };
    if (owner === "math") return { from, options: options(["e", "exp", "inf", "log", "pi", "pow", "sqrt"], "function"), validFor: /^\w*$/ };
    if (parameters.has(owner) || (context.explicit && /^\w+$/.test(owner))) {
      return { from, options: options(METHODS, "method"), validFor: /^\w*$/ };
    }
    return null;
  };
}
