import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { cloudflare } from './translate.ts';

replayVectors(cloudflare, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
