import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { cohere } from './translate.ts';

replayVectors(cohere, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
