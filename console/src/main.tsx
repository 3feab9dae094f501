import { render } from 'preact';
import { loadNames } from './api/names.ts';
import { messageOf } from './api/request.ts';
import { App } from './shell/app.tsx';
import './state/theme.ts';
import './style/base.css';
import './style/shell.css';
import './style/table.css';
import './style/object.css';
import './style/views.css';

const place = document.getElementById('app');
if (!place) throw new Error('the page has no place for the console');
place.textContent = '';
try {
  await loadNames();
  render(<App />, place);
} catch (error) {
  place.textContent = `The console cannot start: ${messageOf(error)}`;
}
