#!/bin/sh
# The gateway with nothing but curl: which models there are, a chat, a chat that streams.
set -eu
url=${TOLLGATE_URL:-http://localhost:3000}
model=${MODEL:-gpt-4o-mini}
key=${TOLLGATE_KEY:?an API key of the token list, sk-…}

curl --fail-with-body --silent --show-error "$url/v1/models" -H "Authorization: Bearer $key"
echo

curl --fail-with-body --silent --show-error "$url/v1/chat/completions" \
  -H "Authorization: Bearer $key" \
  -H 'Content-Type: application/json' \
  -d '{"model":"'"$model"'","messages":[{"role":"user","content":"Hello from curl"}]}'
echo

# -N: each event is shown when it comes.
curl --fail-with-body --silent --show-error -N "$url/v1/chat/completions" \
  -H "Authorization: Bearer $key" \
  -H 'Content-Type: application/json' \
  -d '{"model":"'"$model"'","stream":true,"messages":[{"role":"user","content":"Hello, streamed"}]}'
