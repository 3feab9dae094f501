package counter

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"time"
)

// Plane is a control plane, and a client that it knows by its certificate.
type Plane struct {
	URL    string
	Client *http.Client
}

// PlaneFromFile reads a client configuration with one plane and one user in it, whose certificates are in the file.
func PlaneFromFile(path string) (*Plane, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	authority, err := data(text, "certificate-authority-data")
	if err != nil {
		return nil, err
	}
	certificate, err := data(text, "client-certificate-data")
	if err != nil {
		return nil, err
	}
	key, err := data(text, "client-key-data")
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(authority) {
		return nil, errors.New("certificate-authority-data holds no certificate")
	}
	server, err := field(text, "server")
	if err != nil {
		return nil, err
	}
	trust := &tls.Config{RootCAs: authorities, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	transport := &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}
	return &Plane{URL: server, Client: &http.Client{Transport: transport, Timeout: 30 * time.Second}}, nil
}

// field finds the value of a key. The standard library reads no YAML; programs of more than an example use client-go.
func field(text []byte, name string) (string, error) {
	found := regexp.MustCompile(`(?m)^[ -]*` + name + `: *"?([^"\s]+)"?$`).FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("the configuration has no %s", name)
	}
	return string(found[1]), nil
}

func data(text []byte, name string) ([]byte, error) {
	value, err := field(text, name)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(value)
}
