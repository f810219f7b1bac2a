import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { anthropic } from './translate.ts';

replayVectors(anthropic, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
