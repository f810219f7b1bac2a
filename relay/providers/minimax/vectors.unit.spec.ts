import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { miniMax } from './translate.ts';

replayVectors(miniMax, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
