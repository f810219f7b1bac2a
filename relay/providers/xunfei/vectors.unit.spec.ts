import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { xunfei } from './index.ts';

replayVectors(xunfei, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
