import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { xai } from './translate.ts';

replayVectors(xai, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
