#!/bin/sh
# litellm's proxy serves one model on two wires, and needs two interfaces of the server behind it.
#
# litellm 1.108.7 (Python 3.11). A proxy is set up for a server that speaks OpenAI's `/v1/chat/completions`, as most servers for
# models of one's own do (`model: openai/NAME` with an `api_base`). Requests to the proxy's `/v1/chat/completions` are passed on
# to that path. The proxy also offers Anthropic's `/v1/messages` for the same model, and one expects them to be turned into the
# same requests. They are not: the proxy asks the server's `/v1/responses`, and where the server has none, the answer is a
# `not_found_error` that names neither the path nor the interface.
#
# A client that finds both wires at a proxy's address should take OpenAI's, unless the user says otherwise.
#
# Seen: "chat: 好", "messages: not_found_error", and the paths ['/v1/chat/completions', '/v1/responses'].
# Needs python3 with venv, and some 500 MB for a while.
set -eu

room=$(mktemp -d)
trap 'kill $(cat "$room"/*.pid 2>/dev/null) 2>/dev/null || true; rm -rf "$room"' EXIT
export HOME="$room" NO_PROXY=127.0.0.1
python3 -m venv "$room/venv"
"$room/venv/bin/pip" install -q --disable-pip-version-check 'litellm[proxy]==1.108.7'

cat >"$room/server.py" <<'PYTHON'
import http.server, json, sys

answer = {
    "id": "a", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "好"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
}

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        with open(sys.argv[1] + "/paths", "a") as paths:
            paths.write(self.path + "\n")
        known = self.path == "/v1/chat/completions"
        body = json.dumps(answer).encode() if known else b"{}"
        self.send_response(200 if known else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + "/port", "w") as port:
    port.write(str(server.server_port))
server.serve_forever()
PYTHON
python3 "$room/server.py" "$room" &
echo $! >"$room/server.pid"
until [ -s "$room/port" ]; do sleep 0.1; done

key=sk-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
cat >"$room/proxy.yaml" <<YAML
model_list:
  - model_name: m
    litellm_params: {model: openai/m, api_base: "http://127.0.0.1:$(cat "$room/port")/v1", api_key: none}
general_settings: {master_key: $key}
YAML
proxy=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$room/venv/bin/litellm" --config "$room/proxy.yaml" --host 127.0.0.1 --port "$proxy" >"$room/log" 2>&1 &
echo $! >"$room/proxy.pid"

cat >"$room/ask.py" <<'PYTHON'
import json, sys, time, urllib.error, urllib.request

room, proxy, key = sys.argv[1:]

def post(path, body, headers):
    request = urllib.request.Request(
        f"http://127.0.0.1:{proxy}{path}", json.dumps(body).encode(), {"content-type": "application/json", **headers}
    )
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        return json.load(error)

for _ in range(240):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{proxy}/health/liveliness")
        break
    except OSError:
        time.sleep(0.5)
messages = [{"role": "user", "content": "写一个字"}]
chat = post("/v1/chat/completions", {"model": "m", "messages": messages}, {"authorization": f"Bearer {key}"})
print("chat:", chat["choices"][0]["message"]["content"])
other = post(
    "/v1/messages",
    {"model": "m", "max_tokens": 20, "messages": messages},
    {"x-api-key": key, "anthropic-version": "2023-06-01"},
)
print("messages:", other["error"]["type"])
paths = open(room + "/paths").read().split()
print(paths)
assert other["error"]["type"] == "not_found_error" and "responses" not in other["error"]["message"]
assert paths == ["/v1/chat/completions", "/v1/responses"]
PYTHON
python3 "$room/ask.py" "$room" "$proxy" "$key"
