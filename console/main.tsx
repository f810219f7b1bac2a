import './app/styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, openApp } from './app/app.tsx';
import { startI18n } from './app/i18n.ts';
import { applyTheme } from './app/theme.ts';
import { applyDensity } from './shared/hooks/use-density.ts';

const start = async (): Promise<void> => {
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

void start();
