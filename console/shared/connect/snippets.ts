/** Clients that people already have, in the order in which they are offered. */
export const clients = ['curl', 'openai', 'anthropic', 'google', 'claude-code', 'codex'] as const;
export type ClientName = (typeof clients)[number];

/** `address` without a slash at its end; `key` with `sk-`. */
export type Target = Readonly<{ address: string; key: string; model: string }>;

const curl = ({ address, key, model }: Target) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`;

const openai = ({ address, key, model }: Target) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`;

const anthropic = ({ address, key, model }: Target) => `# pip install anthropic
from anthropic import Anthropic

client = Anthropic(base_url="${address}", api_key="${key}")
message = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`;

const google = ({ address, key, model }: Target) => `# pip install google-genai
from google import genai

client = genai.Client(api_key="${key}", http_options={"base_url": "${address}"})
answer = client.models.generate_content(model="${model}", contents="Hello")
print(answer.text)`;

const claudeCode = ({ address, key, model }: Target) => `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_API_KEY="${key}"
claude --model "${model}"`;

const codex = ({ address, key, model }: Target) => `# ~/.codex/config.toml
model = "${model}"
model_provider = "gateway"

[model_providers.gateway]
name = "gateway"
base_url = "${address}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"

# Then, in a shell:
# export GATEWAY_KEY="${key}"
# codex`;

const writers: Readonly<Record<ClientName, (target: Target) => string>> = {
  curl,
  openai,
  anthropic,
  google,
  'claude-code': claudeCode,
  codex,
};

export const snippetFor = (client: ClientName, target: Target): string => writers[client](target);

const makers: Readonly<Partial<Record<ClientName, RegExp>>> = {
  anthropic: /claude/,
  'claude-code': /claude/,
  google: /gemini/,
  openai: /^(gpt|o\d)/,
  codex: /^(gpt|o\d)/,
};
const fallback = 'gpt-4o-mini';

/** A model of the client's own maker where there is one: every protocol is offered for every model. */
export const modelFor = (client: ClientName, models: readonly string[]): string => {
  const chat = models.filter((model) => !/embedding|tts|whisper|image|dall-e|instruct/.test(model));
  return chat.find((model) => makers[client]?.test(model)) ?? chat[0] ?? models[0] ?? fallback;
};

const shownStart = 7;
const shownEnd = 4;
/** For the eyes; the copy holds the whole key. */
export const masked = (key: string): string =>
  key.length <= shownStart + shownEnd ? key : `${key.slice(0, shownStart)}…${key.slice(-shownEnd)}`;
