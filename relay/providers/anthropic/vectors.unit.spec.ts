import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { anthropic } from './index.ts';

replayVectors(anthropic, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
