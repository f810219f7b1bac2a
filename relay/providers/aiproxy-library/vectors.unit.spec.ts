import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { aiProxyLibrary } from './index.ts';

replayVectors(aiProxyLibrary, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
