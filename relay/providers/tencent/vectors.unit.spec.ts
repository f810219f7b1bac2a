import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { tencent } from './translate.ts';

replayVectors(tencent, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
