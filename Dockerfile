# The whole grader in one image: an ordinary user, no --privileged, nothing but loopback inside.
#
#   docker build -t tensorgrade .
#   docker run --rm -p 127.0.0.1:8000:8000 -v tensorgrade-data:/data tensorgrade
#
# Docker's default seccomp profile refuses the namespaces that bubblewrap wants. The jail then stands on its other
# layers, Landlock among them, and /health says so.

ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS build
# The CPU build: a CUDA build weighs gigabytes and costs every submission about 3 ms.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python -m venv /opt/tensorgrade
ENV PATH=/opt/tensorgrade/bin:$PATH
WORKDIR /src
COPY constraints.txt ./
RUN pip install --no-cache-dir --constraint constraints.txt --extra-index-url "$TORCH_INDEX" torch
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY app ./app
COPY judge ./judge
COPY problems ./problems
COPY static ./static
RUN pip install --no-cache-dir --constraint constraints.txt ".[postgres]"

FROM python:${PYTHON}
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap libseccomp2 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 tensorgrade && install -d -o tensorgrade -g tensorgrade /data /data/bank
COPY --from=build /opt/tensorgrade /opt/tensorgrade
ENV PATH=/opt/tensorgrade/bin:$PATH TENSORGRADE_DATA_DIR=/data TENSORGRADE_BANK=/data/bank
USER tensorgrade
WORKDIR /home/tensorgrade
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["tensorgrade", "serve", "--host", "0.0.0.0", "--port", "8000", "--expose"]
