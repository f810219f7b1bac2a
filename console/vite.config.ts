import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = 'http://127.0.0.1:3000';
const loaderId = '\0icon-loader';
const proxy = Object.fromEntries(
  ['/api', '/v1', '/v2', '/openai/v1', '/pg'].map((path) => [path, server]),
);

/**
 * Writes a brotli and a gzip form next to each file, so that no server compresses the same file
 * twice.
 */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle: ({ dir = '' }, bundle) => {
    for (const name of Object.keys(bundle)) {
      if (!/\.(js|css|svg|html)$/.test(name)) continue;
      const bytes = readFileSync(join(dir, name));
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params: quality }));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

/**
 * Icons are imported as components, so what finds them by their names, a list of all of them, stays out
 * of the first load, and the paths of all of them out of the build.
 */
const iconsAsComponents = (): Plugin => ({
  name: 'icons-as-components',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source.endsWith('/iconLoader') && importer.includes('@blueprintjs/icons') ? loaderId : null,
  load: (id) =>
    id === loaderId ? 'export class Icons { static getPaths() {} static async load() {} }' : null,
});

type ModuleInfo = (id: string) => Readonly<{ importedIds: readonly string[] }> | null;

/** What `app/start.tsx` needs is one file, without the little that runs before it (`main.tsx`). */
const appFile = () => {
  let needed: ReadonlySet<string> | null = null;
  let before: ReadonlySet<string> | null = null;
  const reach = (from: string, infoOf: ModuleInfo): ReadonlySet<string> => {
    const found = new Set([from]);
    for (const id of found) for (const next of infoOf(id)?.importedIds ?? []) found.add(next);
    return found;
  };
  return (id: string, { getModuleInfo }: Readonly<{ getModuleInfo: ModuleInfo }>) => {
    needed ??= reach(join(import.meta.dirname, 'app', 'start.tsx'), getModuleInfo);
    before ??= reach(join(import.meta.dirname, 'main.tsx'), getModuleInfo);
    if (before.has(id)) return 'first';
    return needed.has(id) ? 'app' : undefined;
  };
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), iconsAsComponents(), compressed()],
  // Texts as one object: a named export for each of their keys would only add weight.
  json: { namedExports: false, stringify: true },
  // Two years back: what every browser in support understands.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: true,
    // A page loads fifty small files one after the other, six at a time: smaller ones are joined.
    rollupOptions: { output: { experimentalMinChunkSize: 1_000, manualChunks: appFile() } },
  },
  server: { proxy },
});
