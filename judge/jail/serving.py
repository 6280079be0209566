"""Serves one submission: loads the source, calls its function case after case, writes what came out.

Runs inside the jail: assume every later line of this process is hostile. It returns bytes, never verdicts, and it
never holds an answer. What it says about itself (times, printed text, exceptions) is believed only where a lie would
hurt nobody but the liar.

    supervisor ── Request(start, cases, source, inputs) ──►  load ─► call ─► write record ─► tick
    supervisor ── Request(cases, inputs) ────────────────►  call ─► write record ─► tick      (until killed)
"""

from __future__ import annotations

import contextlib
import linecache
import marshal
import mmap
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple, Protocol

import torch

from judge.jail import wire
from judge.jail.policy import Explained, Language, OutputLimit, Refusal, Refused, Sink, explain
from judge.jail.region import Region

FILE_NAME = "<submission>"
OUTPUT_LIMIT_BYTES = 1024 * 1024
"""More than this printed in one case is output_limit_exceeded."""
BALLAST_BYTES = 256 * 1024
_OUT_OF_MEMORY = "can't allocate memory"


class CaseSpec(NamedTuple):
    """One call, as it comes in a request's table."""

    inputs: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]
    """Shape, strides and offset of each argument, in elements of the batch's inputs."""
    slot_at: int
    """Where in the region a result of the expected size goes."""
    expected_bytes: int
    seed: int


class Start(NamedTuple):
    """What the first request says beside its cases."""

    function: str
    forbid: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    restricted: bool
    """False only where the operator waives the layer "policy"."""


@dataclass(frozen=True, slots=True)
class Request:
    """One message of the supervisor."""

    start: Start | None
    cases: tuple[CaseSpec, ...]
    dtype: torch.dtype
    inputs: Any
    """A writable buffer; the first input lies at `inputs_at`."""
    inputs_at: int
    free_at: int
    """Where the region is free behind the canonical slots."""
    stdout_bytes: int
    """Printed text to keep for each case; 0 for secret cases."""
    every_tick: bool
    source: bytes


class Channel(Protocol):
    """The child's end of its socket, or the rehearsal of one."""

    def receive(self) -> Request | None: ...
    def tick(self, kind: bytes, finished: int) -> None: ...


def parse_request(buffer: bytearray | memoryview, inputs: Any) -> Request:  # noqa: ANN401 - a mapped buffer
    """Take a request apart. `inputs` is the mapped memfd, or None when they are inline."""
    table_bytes, source_bytes, input_bytes, inline = wire.REQUEST.unpack_from(buffer, 0)
    table_at = wire.REQUEST_HEAD + (input_bytes if inline else 0)
    source_at = table_at + table_bytes
    start, cases, dtype, free_at, stdout_bytes, every_tick = marshal.loads(bytes(buffer[table_at:source_at]))  # noqa: S302 - from the supervisor, which this side may trust
    return Request(
        Start(*start) if start else None,
        tuple(CaseSpec(*case) for case in cases),
        getattr(torch, wire.DTYPES[dtype]),
        buffer if inline else inputs,
        wire.REQUEST_HEAD if inline else 0,
        free_at,
        stdout_bytes,
        every_tick,
        bytes(buffer[source_at : source_at + source_bytes]),
    )


class Program:
    """A loaded submission."""

    def __init__(self, function: Callable[..., object], text: str, sink: Sink, ballast: Ballast) -> None:
        self.function = function
        self.text = text
        self.sink = sink
        self.ballast = ballast


class Ballast:
    """Address space that is given back when memory has run out, so that there is room to say so.

    Mapped and never touched: the limit counts it, and it costs no page.
    """

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None
        self.take()

    def take(self) -> None:
        """Have it again, if it was given back and there is room."""
        if self._held is None:
            with contextlib.suppress(OSError, MemoryError):
                self._held = mmap.mmap(-1, BALLAST_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def drop(self) -> None:
        """Give it back."""
        if self._held is not None:
            self._held.close()
            self._held = None


def serve(channel: Channel, region: Region, language: Language) -> None:
    """Serve requests until the channel ends. The first one must carry the start."""
    request = channel.receive()
    if request is None or request.start is None:
        return
    sink = Sink(keep=request.stdout_bytes, limit=OUTPUT_LIMIT_BYTES)
    sys.stdout = sys.stderr = sink
    program = load(request, request.start, region, language, sink)
    if program is None:
        channel.tick(wire.DONE, 0)
        return
    while request is not None:
        run_batch(program, request, channel, region)
        channel.tick(wire.DONE, len(request.cases))
        request = channel.receive()


def load(request: Request, start: Start, region: Region, language: Language, sink: Sink) -> Program | None:
    """Compile the source and run its top level; None, with the load record saying why, when that fails."""
    began = time.perf_counter()
    region.begin(len(request.cases), request.free_at)
    ballast = Ballast()
    text = request.source.decode("utf-8", "replace")
    remarks: tuple[str, ...] = ()
    try:
        language.restrict(start.forbid, start.imports)
    except ValueError as error:  # the author's mistake, not the student's
        region.put_load(wire.LoadStatus.BAD_POLICY, 0.0, wire.pack_texts((str(error),)))
        return None
    try:
        if start.restricted:
            compiled = language.compile(request.source)
            code, text, remarks = compiled.code, compiled.text, compiled.remarks
            namespace = language.namespace(sink)
        else:
            code = _compile_plainly(request.source)
            namespace = {"__name__": "submission", "__builtins__": __builtins__}
        # mtime None: without it tracebacks ask stat() for the file, which is refused, and lose their lines
        linecache.cache[FILE_NAME] = (len(text), None, text.splitlines(keepends=True), FILE_NAME)
        exec(code, namespace)  # noqa: S102 - what this process is for
        function = namespace.get(start.function)
    except BaseException as error:  # noqa: BLE001 - submitted code may raise anything
        ballast.drop()
        _put_load_failure(region, error, text, time.perf_counter() - began)
        return None
    seconds = time.perf_counter() - began
    if not callable(function):
        region.put_load(wire.LoadStatus.NO_FUNCTION, seconds)
        return None
    region.put_load(wire.LoadStatus.LOADED, seconds, wire.pack_texts(remarks) if remarks else b"")
    return Program(function, text, sink, ballast)


def _compile_plainly(source: bytes) -> CodeType:
    """Compile without the policy. Refused for what is no Python: ValueError says null byte, RecursionError depth."""
    try:
        return compile(source, FILE_NAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        line, column = (error.lineno or 1, error.offset or 1) if isinstance(error, SyntaxError) else (1, 1)
        raise Refused((Refusal(line, max(1, column), "syntax_error", f"{error.args[0]}."),)) from None


def _put_load_failure(region: Region, error: BaseException, text: str, seconds: float) -> None:
    match error:
        case Refused():
            refusals = [wire.Refusal(r.line, r.column, r.code, r.message) for r in error.refusals]
            region.put_load(wire.LoadStatus.REFUSED, seconds, wire.pack_refusals(refusals))
        case OutputLimit():
            region.put_load(wire.LoadStatus.TOO_MUCH_OUTPUT, seconds)
        case SystemExit():
            region.put_load(wire.LoadStatus.EXITED, seconds)
        case _ if is_out_of_memory(error):
            region.put_load(wire.LoadStatus.OUT_OF_MEMORY, seconds)
        case _:
            explained = explain(error, text)
            if explained.refusal:
                refusal = explained.refusal
                packed = wire.pack_refusals([wire.Refusal(refusal.line, refusal.column, refusal.code, refusal.message)])
                region.put_load(wire.LoadStatus.REFUSED, seconds, packed)
            else:
                region.put_load(wire.LoadStatus.RAISED, seconds, _pack_explained(explained))


def _pack_explained(explained: Explained) -> bytes:
    return wire.pack_texts((explained.type_name, str(explained.line), explained.message, explained.traceback))


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, in Python or in torch's allocator (which raises a plain RuntimeError)."""
    if isinstance(error, MemoryError):
        return True
    if type(error) is not RuntimeError or not error.args:
        return False
    return type(error.args[0]) is str and _OUT_OF_MEMORY in error.args[0]


def run_batch(program: Program, request: Request, channel: Channel, region: Region) -> None:
    """Call the function on each case of a request and write a record for each."""
    if request.start is None:
        region.begin(len(request.cases), request.free_at)
        program.sink.keep = request.stdout_bytes
    base = torch.frombuffer(request.inputs, dtype=request.dtype, offset=request.inputs_at, count=_count(request))
    pristine = bytes(request.inputs[request.inputs_at : _end(request)]) if request.inputs_at else None
    clock = time.perf_counter
    told = clock()
    for index, case in enumerate(request.cases):
        arguments = [base.as_strided(shape, strides, at) for shape, strides, at in case.inputs]
        run_case(program, case, index, arguments, region)
        now = clock()
        if request.every_tick or now - told > wire.PROGRESS_S:
            told = now
            channel.tick(wire.PROGRESS, index + 1)
    if pristine is not None and bytes(request.inputs[request.inputs_at : _end(request)]) != pristine:
        _mark_mutated(request, pristine, region)


def _count(request: Request) -> int:
    return max(at + _reach(shape) for case in request.cases for shape, _, at in case.inputs)


def _reach(shape: Sequence[int]) -> int:
    size = 1
    for extent in shape:
        size *= extent
    return size


def _end(request: Request) -> int:
    return request.inputs_at + _count(request) * request.dtype.itemsize


def _mark_mutated(request: Request, pristine: bytes, region: Region) -> None:
    """Find the cases whose inputs are not what they were."""
    item = request.dtype.itemsize
    now = bytes(request.inputs[request.inputs_at : _end(request)])
    for index, case in enumerate(request.cases):
        for shape, _, at in case.inputs:
            part = slice(at * item, (at + _reach(shape)) * item)
            if now[part] != pristine[part]:
                region.add_to_record(index, wire.MUTATED, b"")
                break


_seed = torch.default_generator.manual_seed
_Tensor = torch.Tensor


def run_case(program: Program, case: CaseSpec, index: int, arguments: list[torch.Tensor], region: Region) -> None:
    """One call: fresh arguments, reseeded, grad on and inference mode off whatever an earlier case left behind."""
    program.ballast.take()
    versions = [argument._version for argument in arguments]  # noqa: SLF001 - torch's own count of in-place writes
    clock = time.perf_counter
    began = clock()
    try:
        _seed(case.seed)
        random.seed(case.seed)
        if torch.is_grad_enabled() and not torch.is_inference_mode_enabled():
            began = clock()
            result = program.function(*arguments)
        else:
            with torch.inference_mode(mode=False), torch.enable_grad():
                began = clock()
                result = program.function(*arguments)
        seconds = clock() - began
        flags = wire.MUTATED if [argument._version for argument in arguments] != versions else 0  # noqa: SLF001
        put_result(region, index, case, result, seconds, flags)
    except BaseException as error:  # noqa: BLE001 - submitted code may raise anything
        program.ballast.drop()
        _put_failure(region, index, error, program.text, clock() - began)
    if program.sink.used:
        if program.sink.over:  # also where the submission caught OutputLimit
            region.put_record(index, wire.Status.TOO_MUCH_OUTPUT, seconds=clock() - began)
        stdout, cut = program.sink.take()
        if program.sink.keep:
            region.add_to_record(index, wire.STDOUT_CUT if cut else 0, stdout.encode("utf-8", "replace"))


def put_result(region: Region, index: int, case: CaseSpec, result: object, seconds: float, flags: int) -> None:
    """Write what the function returned."""
    if type(result) is _Tensor:
        status, dtype, at = region.put_tensor(result, case.slot_at, case.expected_bytes)
        region.put_record(
            index, status, seconds=seconds, flags=flags, dtype=dtype, shape=tuple(result.shape), tensor_at=at
        )
        return
    if result is None:
        region.put_record(index, wire.Status.NONE, seconds=seconds, flags=flags)
        return
    name = wire.pack_texts((type(result).__name__[:100],))
    first = result[0] if isinstance(result, (tuple, list)) and result else None
    if type(first) is _Tensor:
        status, dtype, at = region.put_tensor(first, case.slot_at, case.expected_bytes)
        if status is wire.Status.TENSOR:
            flags |= wire.FROM_SEQUENCE | wire.HAS_TENSOR
            region.put_record(
                index,
                wire.Status.OTHER_TYPE,
                seconds=seconds,
                flags=flags,
                dtype=dtype,
                shape=tuple(first.shape),
                tensor_at=at,
                text=name,
            )
            return
    region.put_record(index, wire.Status.OTHER_TYPE, seconds=seconds, flags=flags, text=name)


def _put_failure(region: Region, index: int, error: BaseException, text: str, seconds: float) -> None:
    match error:
        case OutputLimit():
            region.put_record(index, wire.Status.TOO_MUCH_OUTPUT, seconds=seconds)
        case SystemExit():
            region.put_record(index, wire.Status.EXITED, seconds=seconds)
        case _ if is_out_of_memory(error):
            region.put_record(index, wire.Status.OUT_OF_MEMORY, seconds=seconds)
        case _:
            explained = explain(error, text)
            if explained.refusal:
                refusal = explained.refusal
                packed = wire.pack_refusals([wire.Refusal(refusal.line, refusal.column, refusal.code, refusal.message)])
                region.put_record(index, wire.Status.REFUSED, seconds=seconds, line=refusal.line, text=packed)
            else:
                region.put_record(
                    index,
                    wire.Status.RAISED,
                    seconds=seconds,
                    line=max(0, explained.line),
                    text=_pack_explained(explained),
                )
