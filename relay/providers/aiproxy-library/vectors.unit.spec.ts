import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { aiProxyLibrary } from './translate.ts';

replayVectors(aiProxyLibrary, loadVectors(new URL('fixtures/vectors.json', import.meta.url)));
