import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killTree } from '../support/processes.ts';

const binaries = new URL('../../.cache/clients/node_modules/.bin', import.meta.url).pathname;
const agentTimeoutMs = 90_000;

type Target = Readonly<{ url: string; key: string; model: string; home: string }>;
type Start = Readonly<{ args: readonly string[]; env?: Readonly<Record<string, string>> }>;

const write = (path: string, text: string): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

const starts = {
  claude: ({ url, key, model }: Target, prompt: string): Start => ({
    args: ['-p', prompt, '--model', model, '--allowedTools', 'Read'],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_SMALL_FAST_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
  codex: ({ url, key, model, home }: Target, prompt: string): Start => {
    write(
      join(home, '.codex/config.toml'),
      [
        `model = "${model}"`,
        'model_provider = "gateway"',
        '[model_providers.gateway]',
        'name = "gateway"',
        `base_url = "${url}/v1"`,
        'env_key = "GATEWAY_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
      ].join('\n'),
    );
    const free = '--dangerously-bypass-approvals-and-sandbox';
    return { args: ['exec', '--skip-git-repo-check', free, prompt], env: { GATEWAY_KEY: key } };
  },
  gemini: ({ url, key, model, home }: Target, prompt: string): Start => {
    const security = { auth: { selectedType: 'gemini-api-key' } };
    write(join(home, '.gemini/settings.json'), JSON.stringify({ security }));
    return {
      args: ['-p', prompt, '-m', model, '--yolo', '--skip-trust'],
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
  },
  opencode: ({ url, key, model, home }: Target, prompt: string): Start => {
    const options = { baseURL: `${url}/v1`, apiKey: key };
    const provider = {
      gateway: { npm: '@ai-sdk/openai-compatible', options, models: { [model]: {} } },
    };
    const own = { provider, small_model: `gateway/${model}`, autoupdate: false, share: 'disabled' };
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify(own));
    return { args: ['run', '-m', `gateway/${model}`, prompt] };
  },
} as const;

export type Agent = keyof typeof starts;
export const agents = Object.keys(starts) as readonly Agent[];

const run = async (command: string, start: Start, home: string): Promise<string> => {
  const child = spawn(command, start.args, {
    cwd: join(home, 'project'),
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb', CI: '1', ...start.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (part: Buffer): void => {
    output = (output + part.toString()).slice(-100_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ending = new AbortController();
  const late = pause(agentTimeoutMs, undefined, { signal: ending.signal })
    .then(() => {
      output += '\nno answer in time';
      if (child.pid !== undefined) killTree(child.pid);
    })
    .catch(() => undefined);
  await once(child, 'close');
  ending.abort();
  await late;
  return output;
};

/** Why the program cannot run on this machine; "" where it can. */
export const whyNot = async (agent: Agent): Promise<string> => {
  const home = mkdtempSync(join(tmpdir(), 'agent-'));
  mkdirSync(join(home, 'project'));
  try {
    const version = await run(join(binaries, agent), { args: ['--version'] }, home);
    return /\d+\.\d+\.\d+/.test(version) ? '' : `it does not start here: ${version.slice(-200)}`;
  } catch (error) {
    return `it does not start here: ${String(error)}`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** Runs an agent without a terminal in an empty home; it reads a file by its own tool. */
export const runAgent = async (
  agent: Agent,
  target: Omit<Target, 'home'>,
  scene: (file: string) => string,
): Promise<string> => {
  const home = mkdtempSync(join(tmpdir(), 'agent-'));
  const file = join(home, 'project', 'note.txt');
  write(file, 'the note of the project\n');
  try {
    const start = starts[agent]({ ...target, home }, scene(file));
    return await run(join(binaries, agent), start, home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
};
