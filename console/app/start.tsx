import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyDensity } from '../shared/hooks/use-density.ts';
import { App, openApp } from './app.tsx';
import { startI18n } from './i18n.ts';
import { applyTheme } from './theme.ts';

export const start = async (): Promise<void> => {
  const root = document.getElementById('root');
  if (root === null) return;
  applyTheme();
  applyDensity();
  const app = openApp();
  await startI18n();
  createRoot(root).render(
    <StrictMode>
      <App {...app} />
    </StrictMode>,
  );
};
