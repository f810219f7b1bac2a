import { expect, test } from 'vitest';
import { type CpuProfile, sharesOf } from './shares.ts';

const bundle = [
  '// relay/admission/admit.ts',
  'var admit = () => {};',
  '// domain/price/price.ts',
  'var price = () => {};',
];

const frame = (functionName: string, url = '', lineNumber = 0) => ({
  functionName,
  url,
  lineNumber,
});

/** A call of `admit`, which calls `price` and writes to a socket. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 9, 10] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('(garbage collector)') },
    { id: 4, callFrame: frame('admit', 'file:///app/relay.mjs', 1), children: [5, 6] },
    { id: 5, callFrame: frame('price', 'file:///app/relay.mjs', 3), children: [8] },
    { id: 6, callFrame: frame('write', 'node:internal/stream_base_commons', 12), children: [7] },
    { id: 7, callFrame: frame('writev') },
    { id: 8, callFrame: frame('', '/app/node_modules/@grpc/grpc-js/build/src/call.js', 7) },
    { id: 9, callFrame: frame('(program)') },
    {
      id: 10,
      callFrame: frame('stop', 'file:///x/infra/benchmarks/profile/preload.mjs'),
      children: [11],
    },
    { id: 11, callFrame: frame('dispatch') },
  ],
  samples: [2, 3, 4, 5, 7, 8, 9, 4, 11],
  timeDeltas: [90_000, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 80_000],
};

test('CPU goes by whose code ran; waiting is none, nor is the profiler', () => {
  const { cpuMs, owners } = sharesOf(profile, () => bundle);
  expect(cpuMs).toBe(28);
  expect(Object.fromEntries(owners.map(({ name, ms }) => [name, ms]))).toEqual({
    'relay/admission': 9,
    'V8 and the system': 6,
    'npm @grpc/grpc-js': 5,
    'node:stream_base_commons': 4,
    'domain/price': 3,
    'V8: garbage collector': 1,
  });
  expect(owners[0]?.percent).toBeCloseTo((100 * 9) / 28);
});

test('a native function is named and counts for its caller', () => {
  const { functions } = sharesOf(profile, () => bundle);
  expect(functions.find(({ name }) => name.startsWith('writev'))).toMatchObject({
    name: 'writev, node:stream_base_commons',
    ms: 4,
  });
});

test('a script without sources is called by its own name', () => {
  expect(sharesOf(profile, () => []).owners.map(({ name }) => name)).toContain('relay.mjs');
});
