import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(['/api', '/v1', '/pg'].map((path) => [path, server]));

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  // Two years back: what every browser in support understands.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', reportCompressedSize: true },
  server: { proxy },
});
