import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { xai } from './index.ts';

replayVectors(xai, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
