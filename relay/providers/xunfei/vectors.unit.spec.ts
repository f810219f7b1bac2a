import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { xunfei } from './translate.ts';

replayVectors(xunfei, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
