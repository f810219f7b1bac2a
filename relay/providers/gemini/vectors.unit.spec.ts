import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { gemini } from './translate.ts';

replayVectors(gemini, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
