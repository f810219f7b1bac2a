/* Whose code took the CPU that a V8 profile shows: rooms of the product, packages, modules of Node, the collector. */

type Frame = Readonly<{ functionName: string; url: string; lineNumber: number }>;
type Node = Readonly<{ id: number; callFrame: Frame; children?: readonly number[] }>;

/** As `Profiler.stop` of the Chrome DevTools protocol answers; times are microseconds. */
export type CpuProfile = Readonly<{
  nodes: readonly Node[];
  samples: readonly number[];
  timeDeltas: readonly number[];
}>;

type Share = Readonly<{ name: string; ms: number; percent: number }>;
export type Shares = Readonly<{
  cpuMs: number;
  owners: readonly Share[];
  functions: readonly Share[];
}>;

/** The lines of a script by its URL; none when it cannot be read. */
type ReadLines = (url: string) => readonly string[];

const ofV8: Readonly<Record<string, string>> = {
  '(garbage collector)': 'V8: garbage collector',
  '(program)': 'V8 and the system',
};

/** `@grpc/grpc-js` of `/x/node_modules/@grpc/grpc-js/build/index.js`. */
const packageOf = (url: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

/** `node:http` of `node:_http_outgoing`, `node:streams` of `node:internal/streams/readable`. */
const moduleOf = (url: string): string => {
  const path = url.replace(/^node:(internal\/)?/, '');
  const first = path.split('/')[0] ?? path;
  return `node:${first.startsWith('_http') ? 'http' : first.replace(/^_/, '')}`;
};

/** What the bundler writes above the code of each source file. */
const sourceComment = /^\/\/ ([\w-]+(?:\/[\w.-]+)*\.[cm]?[jt]s)$/;

/** `relay/admission` of `relay/admission/admit.ts`. */
const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** Answers in which source file a line of a bundle is; the name of the script when it is none. */
const createSources = (readLines: ReadLines) => {
  const known = new Map<string, readonly Readonly<{ line: number; path: string }>[]>();
  const read = (url: string) =>
    readLines(url).flatMap((text, line) => {
      const path = sourceComment.exec(text)?.[1];
      return path === undefined ? [] : [{ line, path }];
    });
  return ({ url, lineNumber }: Frame): string => {
    const sources = known.get(url) ?? read(url);
    known.set(url, sources);
    const path = sources.findLast(({ line }) => line <= lineNumber)?.path;
    return path ?? url.split('/').slice(-1).join('');
  };
};

const createOwners = (readLines: ReadLines) => {
  const sourceOf = createSources(readLines);
  return (frame: Frame): string | undefined => {
    const { functionName, url } = frame;
    if (url === '') return ofV8[functionName];
    if (url.startsWith('node:')) return moduleOf(url);
    const packageName = packageOf(url);
    return packageName === undefined ? roomOf(sourceOf(frame)) : `npm ${packageName}`;
  };
};

/** Milliseconds that the samples fell on each node itself. */
const ownMs = ({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> => {
  const own = new Map<number, number>();
  samples.forEach((id, i) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1_000);
  });
  return own;
};

const ranked = (ms: ReadonlyMap<string, number>, total: number): Share[] =>
  [...ms]
    .map(([name, value]) => ({ name, ms: value, percent: (100 * value) / total }))
    .sort((a, b) => b.ms - a.ms);

/** The profiler's own work, within the process that it watches. */
const isProfiler = ({ callFrame }: Node): boolean =>
  callFrame.url.includes('/benchmarks/profile/preload.mjs');

/** A native function counts for its caller; waiting for work is no CPU. */
export const sharesOf = (profile: CpuProfile, readLines: ReadLines): Shares => {
  const ownerOfFrame = createOwners(readLines);
  const own = ownMs(profile);
  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const parentOf = ({ id }: Node): Node | undefined => byId.get(parents.get(id) ?? -1);
  const ownerOf = (node: Node): string => {
    const parent = parentOf(node);
    return ownerOfFrame(node.callFrame) ?? (parent === undefined ? 'unknown' : ownerOf(parent));
  };
  const isWork = (node: Node): boolean => {
    if (node.callFrame.functionName === '(idle)') return false;
    for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
      if (isProfiler(at)) return false;
    }
    return true;
  };
  let cpuMs = 0;
  for (const node of profile.nodes) {
    const ms = own.get(node.id) ?? 0;
    if (ms === 0 || !isWork(node)) continue;
    const { functionName } = node.callFrame;
    const owner = ownerOf(node);
    const name = `${functionName || '(anonymous)'}, ${owner}`;
    cpuMs += ms;
    owners.set(owner, (owners.get(owner) ?? 0) + ms);
    functions.set(name, (functions.get(name) ?? 0) + ms);
  }
  return { cpuMs, owners: ranked(owners, cpuMs), functions: ranked(functions, cpuMs) };
};
