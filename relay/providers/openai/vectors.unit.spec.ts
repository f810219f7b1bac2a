import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { openAi } from './translating.ts';

replayVectors(openAi, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
