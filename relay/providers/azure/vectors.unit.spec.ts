import { loadVectors, replayVectors } from '../../../tests/support/vector-runner.ts';
import { azure } from './translate.ts';

replayVectors(azure, loadVectors(new URL('./fixtures/vectors.json', import.meta.url)));
