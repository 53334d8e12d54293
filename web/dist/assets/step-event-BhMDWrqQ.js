<<<<<<< HEAD:web/dist/assets/step-event-DlflPJrG.js
<<<<<<<< HEAD:web/dist/assets/step-event-BJSNTXCV.js
import{q as e}from"./shared-BIdLc3MO.js";import{a as t}from"./operator-C5x0gTtS.js";async function n(n,r){let i={path:{event:n}};return e(r===`open`?t.POST(`/admin/v1/events/{event}/open`,{params:i}):r===`pause`?t.POST(`/admin/v1/events/{event}/pause`,{params:i}):r===`resume`?t.POST(`/admin/v1/events/{event}/resume`,{params:i}):t.POST(`/admin/v1/events/{event}/close`,{params:i}))}export{n as t};
========
import{D as e}from"./shared-BnZnu5wq.js";import{a as t}from"./operator-DuH9tYUK.js";async function n(n,r){let i={path:{event:n}};return e(r===`open`?t.POST(`/admin/v1/events/{event}/open`,{params:i}):r===`pause`?t.POST(`/admin/v1/events/{event}/pause`,{params:i}):r===`resume`?t.POST(`/admin/v1/events/{event}/resume`,{params:i}):t.POST(`/admin/v1/events/{event}/close`,{params:i}))}export{n as t};
>>>>>>>> walks:web/dist/assets/step-event-DlflPJrG.js
=======
import{O as e}from"./shared-CSdsOQk3.js";import{a as t}from"./operator-D2YQZoJ4.js";async function n(n,r){let i={path:{event:n}};return e(r===`open`?t.POST(`/admin/v1/events/{event}/open`,{params:i}):r===`pause`?t.POST(`/admin/v1/events/{event}/pause`,{params:i}):r===`resume`?t.POST(`/admin/v1/events/{event}/resume`,{params:i}):t.POST(`/admin/v1/events/{event}/close`,{params:i}))}export{n as t};
>>>>>>> walks:web/dist/assets/step-event-BhMDWrqQ.js
