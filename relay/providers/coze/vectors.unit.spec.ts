import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { coze } from './translate.ts';

replayVectors(coze, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
