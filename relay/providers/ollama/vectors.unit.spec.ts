import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { ollama } from './translate.ts';

replayVectors(ollama, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
