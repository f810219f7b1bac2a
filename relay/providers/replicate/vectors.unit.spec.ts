import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { replicate } from './translate.ts';

replayVectors(replicate, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
