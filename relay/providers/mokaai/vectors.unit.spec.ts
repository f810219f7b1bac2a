import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { mokaAi } from './translate.ts';

replayVectors(mokaAi, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
