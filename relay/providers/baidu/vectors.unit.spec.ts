import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { baidu } from './translate.ts';

replayVectors(baidu, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
