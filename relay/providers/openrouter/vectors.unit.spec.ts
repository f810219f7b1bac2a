import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { openRouter } from './translate.ts';

replayVectors(openRouter, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
