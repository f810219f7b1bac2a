import './app/styles/index.css';
import { fetchScreenAt } from './app/screen-files.ts';
import { fetchTexts } from './app/text-files.ts';

// Little code, so that all that the page needs is on its way at once.
fetchTexts();
fetchScreenAt(window.location.pathname);
void import('./app/start.tsx').then(({ start }) => start());
