import type { Fault } from './fault.ts';

/** Money of context caches: charged when they are made, and cheap to read. */
export const cacheFaults: readonly Fault[] = [
  {
    name: 'charges-caches-by-own-count',
    what: 'a context cache is charged by the count of the relay',
    shows: ['wrong-amount'],
    under: { caches: 1 },
    patches: [
      {
        file: 'relay/tasks/caches/taken-cache.ts',
        find: 'return Math.min(isUsable ? reported : promptTokens, maxTokens);',
        replace: 'return Math.min(isUsable ? promptTokens : promptTokens, maxTokens);',
      },
    ],
  },
  {
    name: 'reserves-no-reads-of-caches',
    what: 'what a call reads from a context cache is not reserved',
    shows: ['overdrawn'],
    under: { caches: 1 },
    patches: [
      {
        file: 'relay/ingress/cached-prompt.ts',
        find: "  tokens === 0 || quote.kind === 'price'\n    ? 0",
        replace: "  tokens >= 0 || quote.kind === 'price'\n    ? 0",
      },
    ],
  },
  {
    name: 'believes-no-reads-of-caches',
    what: 'the report of a call that reads a context cache is cut to what stands in its body',
    shows: ['wrong-amount'],
    under: { caches: 1 },
    patches: [
      {
        file: 'relay/admission/call-bound.ts',
        find: '(scan.kept > 0 ? input : 0)',
        replace: '0',
      },
    ],
  },
];
