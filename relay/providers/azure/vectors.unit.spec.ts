import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { azure } from './index.ts';

replayVectors(azure, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
