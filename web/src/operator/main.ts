// The operator console starts here.
import { mount } from 'svelte'
import '../shared/styles/base.css'
import './console.css'
import { startRouter } from '../shared/router/router.svelte'
import { ignoreHeldEnter } from '../shared/state/held-enter'
import App from './App.svelte'
import { session } from './session/session.svelte'

startRouter()
ignoreHeldEnter()
void session.start()
mount(App, { target: document.getElementById('app')! })
