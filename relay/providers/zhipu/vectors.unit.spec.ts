import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import type { VectorFile } from '../../../tests/support/vectors/types.ts';
import { zhipuV4 } from '../zhipu-v4/translate.ts';
import { zhipu } from './translate.ts';

const vectors = loadVectors(new URL('fixtures/vectors.json', import.meta.url));

const ofType = (type: number): VectorFile => ({
  ...vectors,
  cases: vectors.cases.filter(({ channel }) => channel.type === type),
});

replayVectors(zhipu, ofType(16));
replayVectors(zhipuV4, ofType(26));
