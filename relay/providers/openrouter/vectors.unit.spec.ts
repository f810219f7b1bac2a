import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { openRouter } from './index.ts';

replayVectors(openRouter, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
