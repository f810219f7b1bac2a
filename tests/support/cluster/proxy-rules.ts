import { readFileSync } from 'node:fs';

export type Backend = 'relay' | 'command-api' | 'projections';

const file = new URL('../../../infra/proxy/nginx.conf', import.meta.url).pathname;
const backends: Readonly<Record<string, Backend>> = {
  relay: 'relay',
  command_api: 'command-api',
  projections: 'projections',
};

const backendOf = (name: string): Backend => {
  const backend = backends[name];
  if (backend === undefined) throw new Error(`nginx.conf names an unknown backend: ${name}`);
  return backend;
};

/** Where the reverse proxy sends a call, read out of the very file that operators use. */
export const readProxyRules = (): ((method: string, path: string) => Backend) => {
  const text = readFileSync(file, 'utf8');
  const [, block] = /map "\$request_method \$uri" \$tollgate_backend \{([^}]*)\}/.exec(text) ?? [];
  if (block === undefined) throw new Error('nginx.conf has no map of backends');
  const lines = block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const rules: { pattern: RegExp; backend: Backend }[] = [];
  let otherwise: Backend | null = null;
  for (const line of lines) {
    const [, pattern, name = ''] = /^(?:"~(.*)"|default)\s+(\w+);$/.exec(line) ?? [];
    if (pattern === undefined) otherwise = backendOf(name);
    else rules.push({ pattern: new RegExp(pattern), backend: backendOf(name) });
  }
  if (otherwise === null) throw new Error('nginx.conf has no default backend');
  const rest = otherwise;
  return (method, path) =>
    rules.find(({ pattern }) => pattern.test(`${method} ${path}`))?.backend ?? rest;
};
