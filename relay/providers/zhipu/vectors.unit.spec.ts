import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import type { VectorFile } from '../../../tests/support/vectors/types.ts';
import { zhipu, zhipuLegacy } from './index.ts';

const vectors = loadVectors(new URL('fixtures/vectors.json', import.meta.url));

const ofType = (type: number): VectorFile => ({
  ...vectors,
  cases: vectors.cases.filter(({ channel }) => channel.type === type),
});

replayVectors(zhipuLegacy, ofType(16));
replayVectors(zhipu, ofType(26));
