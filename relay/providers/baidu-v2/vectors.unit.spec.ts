import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { baiduV2 } from './translate.ts';

replayVectors(baiduV2, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
