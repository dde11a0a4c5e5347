#!/bin/sh
# litellm's proxy answers with one type and one code for arrears and for too many requests.
#
# litellm 1.108.7 (Python 3.11). Servers with OpenAI's interface tell both with status 429 and tell them apart by the error's
# fields: `insufficient_quota` as type and code when the account has no money, `rate_limit_exceeded` as code when the client is to
# wait. One expects a proxy to pass the fields on, since a client waits for the one and must not wait for the other. The proxy
# replaces both fields: the type is `throttling_error` and the code is the status "429", in both cases. What is left is the
# server's sentence inside the proxy's own.
#
# A client that goes by the fields asks again and again for minutes with an account that has no money. It has to read the words.
#
# Seen: "arrears: throttling_error 429" and "too many: throttling_error 429".
# Needs python3 with venv, and some 500 MB for a while.
set -eu

room=$(mktemp -d)
trap 'kill $(cat "$room"/*.pid 2>/dev/null) 2>/dev/null || true; rm -rf "$room"' EXIT
export HOME="$room" NO_PROXY=127.0.0.1
python3 -m venv "$room/venv"
"$room/venv/bin/pip" install -q --disable-pip-version-check 'litellm[proxy]==1.108.7'

cat >"$room/server.py" <<'PYTHON'
import http.server, json, sys

complaints = {
    "arrears": {"message": "You exceeded your current quota, please check your plan and billing details.",
                "type": "insufficient_quota", "param": None, "code": "insufficient_quota"},
    "too-many": {"message": "Rate limit reached for requests per min. Limit: 3.",
                 "type": "requests", "param": None, "code": "rate_limit_exceeded"},
}

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps({"error": complaints[asked["model"]]}).encode()
        self.send_response(429)
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
base="http://127.0.0.1:$(cat "$room/port")/v1"
cat >"$room/proxy.yaml" <<YAML
model_list:
  - model_name: arrears
    litellm_params: {model: openai/arrears, api_base: "$base", api_key: none}
  - model_name: too-many
    litellm_params: {model: openai/too-many, api_base: "$base", api_key: none}
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

def complaint(model):
    body = {"model": model, "messages": [{"role": "user", "content": "写一个字"}]}
    return post("/v1/chat/completions", body, {"authorization": f"Bearer {key}"})["error"]

arrears, many = complaint("arrears"), complaint("too-many")
print("arrears:", arrears["type"], arrears["code"])
print("too many:", many["type"], many["code"])
assert (arrears["type"], arrears["code"]) == (many["type"], many["code"]) == ("throttling_error", "429")
assert "insufficient_quota" not in json.dumps(arrears) and "current quota" in arrears["message"]
PYTHON
python3 "$room/ask.py" "$room" "$proxy" "$key"
