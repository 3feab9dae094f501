// Package counter counts in a config map that many programs share.
package counter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Counter is a number in a config map. Any number of programs may add to it at the same time.
type Counter struct {
	Plane     *Plane
	Namespace string
	Name      string
}

type configMap struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metadata          `json:"metadata"`
	Data       map[string]string `json:"data"`
}

type metadata struct {
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// mostBytes is what an answer may have; a plane stores no object that is larger.
const mostBytes = 4 << 20

// Add adds one, and returns what that comes to. When another program was faster it begins anew with what that one wrote.
func (counter Counter) Add() (int, error) {
	for {
		stored, status, err := counter.ask(http.MethodGet, counter.path()+"/"+counter.Name, nil)
		if err != nil {
			return 0, err
		}
		method, path := http.MethodPut, counter.path()+"/"+counter.Name
		if status == http.StatusNotFound {
			method, path = http.MethodPost, counter.path()
			stored = configMap{APIVersion: "v1", Kind: "ConfigMap", Metadata: metadata{Name: counter.Name}}
		}
		count, err := countOf(stored)
		if err != nil {
			return 0, err
		}
		stored.Data = map[string]string{"count": strconv.Itoa(count + 1)}
		_, status, err = counter.ask(method, path, &stored)
		if err != nil {
			return 0, err
		}
		if status != http.StatusConflict {
			return count + 1, nil
		}
	}
}

func countOf(stored configMap) (int, error) {
	if text, there := stored.Data["count"]; there {
		return strconv.Atoi(text)
	}
	return 0, nil
}

func (counter Counter) path() string {
	return "/api/v1/namespaces/" + counter.Namespace + "/configmaps"
}

// ask sends a request. That an object is absent or was changed meanwhile is an answer; any other refusal is an error.
func (counter Counter) ask(method, path string, document *configMap) (answer configMap, status int, err error) {
	var body io.Reader
	if document != nil {
		text, err := json.Marshal(document)
		if err != nil {
			return answer, 0, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, counter.Plane.URL+path, body)
	if err != nil {
		return answer, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := counter.Plane.Client.Do(request)
	if err != nil {
		return answer, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, mostBytes))
	if err != nil {
		return answer, 0, err
	}
	switch response.StatusCode {
	case http.StatusNotFound, http.StatusConflict:
		return answer, response.StatusCode, nil
	case http.StatusOK, http.StatusCreated:
		return answer, response.StatusCode, json.Unmarshal(text, &answer)
	default:
		return answer, 0, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
}
