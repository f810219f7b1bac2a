import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { perplexity } from './translate.ts';

replayVectors(perplexity, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
