import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { replicate } from './index.ts';

replayVectors(replicate, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
